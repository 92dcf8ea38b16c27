"""What the WSGI server loads: puppetboard, which sends the token of PUPPETDB_TOKEN if there is one."""
import os

from flask import jsonify, request
from puppetboard.app import app as application
from puppetboard.core import get_puppetdb

token = os.environ.get('PUPPETDB_TOKEN')
if token:
    get_puppetdb().session.headers['X-Authentication'] = token


@application.after_request
def name_view(answer):
    """Tells the crawler which view of puppetboard has answered."""
    answer.headers['X-View'] = request.endpoint or ''
    return answer


@application.route('/-/views')
def views():
    """Tells the crawler which views there are."""
    return jsonify(sorted({rule.endpoint for rule in application.url_map.iter_rules()}))
